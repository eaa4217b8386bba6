#include "extender/web/bandwidth_json.h"

namespace fairlead::extender {
namespace {

void WriteRate(JsonWriter& json, const LinkView& link) {
  json.Key("rate_bytes_per_second");
  link.rate ? json.Number(link.rate->bytes_per_second) : json.Null();
  json.Key("rate_source");
  link.rate ? json.Text(RateSourceName(link.rate->source)) : json.Null();
  json.Key("rate_age_seconds");
  const bool tested = link.rate && link.rate->source != RateSource::kDeclared;
  tested ? json.Seconds(link.rate->age) : json.Null();
  json.Key("rate_at_least").Bool(link.rate && link.rate->at_least);
}

void WriteTests(JsonWriter& json, const LinkView& link, const LeaseStatus& leases) {
  json.Key("tests").Open('[');
  for (const CapacityTest& test : link.tests) {
    json.Open('{');
    json.Key("source").Text(RateSourceName(test.source));
    json.Key("bytes_per_second").Number(test.bytes_per_second);
    json.Key("age_seconds").Seconds(test.age);
    json.Key("at_least").Bool(test.at_least);
    json.Close('}');
  }
  json.Close(']');
  json.Key("test_wait").Open('{');
  for (const LeaseKind kind : kAllLeaseKinds) {
    const auto wait = leases.waits.find({link.key, kind});
    json.Key(LeaseKindName(kind));
    wait == leases.waits.end() ? json.Null() : json.Text(LeaseWaitName(wait->second));
  }
  json.Close('}');
}

// Of what the ports at both ends count.
void WriteUse(JsonWriter& json, const LinkView& link) {
  json.Key("used_bytes_per_second");
  link.used ? json.Number(link.used->bytes_per_second) : json.Null();
  json.Key("used_source");
  link.used ? json.Text("passive") : json.Null();
  json.Key("used_age_seconds");
  link.used ? json.Seconds(link.used->age) : json.Null();
  json.Key("used_nodes").Integer(link.used ? link.used->nodes : 0U);
}

}  // namespace

void WriteBandwidth(JsonWriter& json, const LinkView& link, const LeaseStatus& leases) {
  json.Key("capacity_bytes_per_second").Number(link.capacity_bytes_per_second);
  WriteRate(json, link);
  json.Key("available_bytes_per_second").Number(link.available_bytes_per_second);
  json.Key("available_at_least").Bool(link.available_at_least);
  WriteUse(json, link);
  WriteTests(json, link, leases);
  json.Key("declared_doubt");
  link.declared_doubt == DeclaredRateDoubt::kNone
      ? json.Null()
      : json.Text(DeclaredRateDoubtName(link.declared_doubt));
}

}  // namespace fairlead::extender
