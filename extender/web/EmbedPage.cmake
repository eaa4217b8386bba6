# cmake -DINPUT=page.html -DFOLDER=dir -DOUTPUT=page.cc -DHEADER=extender/web/page.h -DNAME=Page -P
# EmbedPage.cmake
#
# Puts page.css and page.js of FOLDER into the page and writes it as a string of bytes, so that the
# source needs no limit on a literal's length.
file(READ "${INPUT}" text)
foreach(part page.css page.js)
  file(READ "${FOLDER}/${part}" shared)
  string(FIND "${text}" "/*${part}*/" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${INPUT} has no place for ${part}; write /*${part}*/ where it belongs")
  endif()
  string(REPLACE "/*${part}*/" "${shared}" text "${text}")
endforeach()
string(HEX "${text}" bytes)
string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
string(REGEX REPLACE "((.......){14})" "\\1\n" bytes "${bytes}")
file(
  WRITE "${OUTPUT}"
  "#include \"${HEADER}\"

namespace fairlead::extender {
namespace {
constexpr char kPage[] = {
${bytes}};
}  // namespace

std::string_view ${NAME}() { return {kPage, sizeof kPage}; }

}  // namespace fairlead::extender
")
