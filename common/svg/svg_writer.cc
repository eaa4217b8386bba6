#include "common/svg/svg_writer.h"

#include <cstdio>

#include "common/svg/xml.h"

namespace fairlead {
namespace {

// At most two decimals, none that are needless.
std::string Number(double value) {
  char text[48];
  std::snprintf(text, sizeof text, "%.2f", value);
  std::string number = text;
  while (number.back() == '0') number.pop_back();
  if (number.back() == '.') number.pop_back();
  return number == "-0" ? "0" : number;
}

std::string Attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + value + "\"";
}

std::string Attribute(const char* name, double value) { return Attribute(name, Number(value)); }

const char* AnchorWord(TextAnchor anchor) {
  switch (anchor) {
    case TextAnchor::kStart:
      return "start";
    case TextAnchor::kMiddle:
      return "middle";
    case TextAnchor::kEnd:
      return "end";
  }
  return "start";
}

}  // namespace

void SvgWriter::Rect(double x, double y, double width, double height, const char* fill,
                     double opacity) {
  body_ += "<rect" + Attribute("x", x) + Attribute("y", y) + Attribute("width", width) +
           Attribute("height", height) + Attribute("fill", std::string(fill));
  if (opacity < 1) body_ += Attribute("fill-opacity", opacity);
  body_ += "/>\n";
}

void SvgWriter::Line(double x1, double y1, double x2, double y2, const char* stroke, double width) {
  body_ += "<line" + Attribute("x1", x1) + Attribute("y1", y1) + Attribute("x2", x2) +
           Attribute("y2", y2) + Attribute("stroke", std::string(stroke)) +
           Attribute("stroke-width", width) + "/>\n";
}

void SvgWriter::Dot(double x, double y, double radius, const char* fill, double opacity) {
  body_ += "<circle" + Attribute("cx", x) + Attribute("cy", y) + Attribute("r", radius) +
           Attribute("fill", std::string(fill)) + Attribute("fill-opacity", opacity) + "/>\n";
}

void SvgWriter::Text(double x, double y, std::string_view text, const TextStyle& style) {
  body_ += "<text" + Attribute("x", x) + Attribute("y", y) + Attribute("font-size", style.size) +
           Attribute("fill", std::string(style.colour));
  if (style.anchor != TextAnchor::kStart) {
    body_ += Attribute("text-anchor", std::string(AnchorWord(style.anchor)));
  }
  if (style.bold) body_ += Attribute("font-weight", std::string("600"));
  body_ += ">" + XmlEscaped(text) + "</text>\n";
}

std::string SvgWriter::Document(double width, double height, std::string_view title) const {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"" +
         Attribute("width", width) + Attribute("height", height) + " viewBox=\"0 0 " +
         Number(width) + " " + Number(height) +
         "\" font-family=\"system-ui, 'DejaVu Sans', Arial, sans-serif\">\n<title>" +
         XmlEscaped(title) + "</title>\n" +
         "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" + body_ + "</svg>\n";
}

}  // namespace fairlead
