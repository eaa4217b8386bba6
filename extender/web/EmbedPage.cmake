# cmake -DINPUT=page.html -DOUTPUT=page.cc -P EmbedPage.cmake
# Writes the page as a string of bytes, so that the source needs no limit on a literal's length.
file(READ "${INPUT}" bytes HEX)
string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
string(REGEX REPLACE "((.......){14})" "\\1\n" bytes "${bytes}")
file(
  WRITE "${OUTPUT}"
  "#include \"extender/web/links_page.h\"

namespace fairlead::extender {
namespace {
constexpr char kPage[] = {
${bytes}};
}  // namespace

std::string_view LinksPage() { return {kPage, sizeof kPage}; }

}  // namespace fairlead::extender
")
