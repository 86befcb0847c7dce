// A program that compiles kernels by a library of a driver's maker, NVRTC or hiprtc, whose calls have the same form:
// what a library does with an architecture that it does not know ends this process and no other.
//   compile_kernels LIBRARY nvrtc|hiprtc SOURCE IMAGE NAMES [FLAG ...] -- [NAME ...]
// reads SOURCE, writes IMAGE, and to NAMES what each NAME is called in it, a line each. What the compiler says goes to
// standard output, as what else fails. 1: it does not take the source; 2: there is no such library.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* library;
static const char* prefix;
template <class F>
static F* function(const char* name) {
  char whole[64];
  snprintf(whole, sizeof whole, "%s%s", prefix, name);
  void* found = dlsym(library, whole);
  return (F*)found;
}
// An array of what a call gives the size of and another fills.
static char* filled(void* program, const char* size_of, const char* what, size_t* size) {
  int (*const asked)(void*, size_t*) = function<int(void*, size_t*)>(size_of);
  int (*const fill)(void*, char*) = function<int(void*, char*)>(what);
  *size = 0;
  if (!asked || !fill || asked(program, size) != 0) return nullptr;
  char* const made = (char*)calloc(*size + 1, 1);
  return fill(program, made) == 0 ? made : nullptr;
}
static char* read_all(const char* path) {
  FILE* const file = fopen(path, "rb");
  if (!file) return nullptr;
  fseek(file, 0, SEEK_END);
  const size_t size = (size_t)ftell(file);
  rewind(file);
  char* const text = (char*)calloc(size + 1, 1);
  const bool whole = fread(text, 1, size, file) == size;
  fclose(file);
  return whole ? text : nullptr;
}
static int failed(int status, const char* what, const char* why) {
  printf("%s: %s\n", what, why ? why : "it fails");
  return status;
}
int main(int count, char** words) {
  if (count < 6) return 2;
  library = dlopen(words[1], RTLD_NOW);
  prefix = words[2];
  if (!library) return failed(2, words[1], dlerror());
  int first = 6;
  while (first < count && strcmp(words[first], "--") != 0) ++first;
  char* const source = read_all(words[3]);
  auto* const create =
      function<int(void**, const char*, const char*, int, const char* const*, const char* const*)>("CreateProgram");
  auto* const compile = function<int(void*, int, const char* const*)>("CompileProgram");
  auto* const add = function<int(void*, const char*)>("AddNameExpression");
  auto* const lowered = function<int(void*, const char*, const char**)>("GetLoweredName");
  void* program = nullptr;
  if (!source) return failed(2, words[3], "it cannot be read");
  if (!create || !compile || !add || !lowered) return failed(2, words[1], "it has not the calls of a compiler");
  if (create(&program, source, "kernels.hip", 0, nullptr, nullptr) != 0) return failed(2, "CreateProgram", nullptr);
  for (int k = first + 1; k < count; ++k)
    if (add(program, words[k]) != 0) return failed(1, "AddNameExpression", words[k]);
  const int status = compile(program, first - 6, words + 6);
  size_t size = 0;
  const char* const log = filled(program, "GetProgramLogSize", "GetProgramLog", &size);
  if (log) printf("%s\n", log);
  if (status != 0) return 1;
  // A program for the architecture itself, where the flags ask for one; else PTX.
  char* image = nullptr;
  if (strcmp(prefix, "hiprtc") == 0)
    image = filled(program, "GetCodeSize", "GetCode", &size);
  else if ((image = filled(program, "GetCUBINSize", "GetCUBIN", &size)) == nullptr || size == 0)
    image = filled(program, "GetPTXSize", "GetPTX", &size);
  FILE *const out = fopen(words[4], "wb"), *const names = fopen(words[5], "w");
  if (!image) return failed(1, "what it made", "it gives nothing");
  if (!out || !names || fwrite(image, 1, size, out) != size) return failed(1, words[4], "it cannot be written");
  for (int k = first + 1; k < count; ++k) {
    const char* name = nullptr;
    if (lowered(program, words[k], &name) != 0 || !name) return failed(1, "GetLoweredName", words[k]);
    fprintf(names, "%s\n", name);
  }
  return fclose(out) == 0 && fclose(names) == 0 ? 0 : 1;
}
