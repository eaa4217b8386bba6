#include "linkprobe/engine/packet_router.h"

namespace fairlead::linkprobe {

void PacketRouter::OnReceived(const ReceivedPacket& raw) {
  const auto packet = Decode(raw.bytes);
  if (!packet) return responder_.CountDrop(DropReason::kMalformed);
  switch (packet->kind) {
    case PacketKind::kProbe:
      return responder_.OnProbe(*packet, raw);
    case PacketKind::kReply:
      if (const auto refused = prober_.OnReply(*packet, raw)) responder_.CountDrop(*refused);
      return;
  }
}

void PacketRouter::OnSent(const SendStamp& stamp) {
  const auto packet = tokens_.Find(stamp.token);
  if (!packet) return;
  if (packet->reply) {
    responder_.OnSent(*packet, stamp.sent);
  } else {
    prober_.OnSent(*packet, stamp.sent);
  }
}

}  // namespace fairlead::linkprobe
