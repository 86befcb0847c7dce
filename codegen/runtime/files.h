// Files that appear whole or not at all lie below: the interpreters of SNESL write them too.
#pragma once
#include "semantics/core/files.h"
