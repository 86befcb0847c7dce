// What `campaign --json` prints: the report of every language under a header that says which campaign and which of its
// shards it is of; and several such, of all the shards of one campaign, as one.
#pragma once
#include "driver/campaign_reports.h"
#include "driver/frontend.h"

namespace lockstep::driver {

// A campaign, the same for all its shards.
struct CampaignAsked {
  std::vector<const Frontend*> languages;
  std::size_t programs = 0, compiled = 0;  // of all languages together, as evenly as can be
  std::uint64_t seed = 1, limit = 0;
  std::string target{}, sanitizer{};  // as they are asked for
  std::optional<double> minutes{};    // altogether
  // What is asked of one of them.
  props::CampaignPart part(std::size_t language) const;
};

Json document_of(const CampaignAsked& asked, std::size_t shard, std::size_t shards, std::vector<Json> reports);
bool well(const Json& document);
// `statistics`: what was drawn too.
std::string text_of(const Json& document, const Languages& languages, bool statistics);

// The documents in these files as one: a Failure with status 2 where one is no whole document, or they are not all the
// shards of one campaign, each once.
Json joined_documents(const std::vector<std::string>& files, const Languages& languages);

}  // namespace lockstep::driver
