#include "extender/cluster/pod_requests.h"

#include "extender/cluster/amounts.h"

namespace fairlead::extender {

Amounts RequestsOf(const PodAmounts& pod) {
  Amounts running;
  for (const ContainerRequests& container : pod.containers) Add(running, container.amounts);
  Amounts sidecars;
  Amounts starting;
  for (const ContainerRequests& container : pod.init_containers) {
    Amounts step = sidecars;
    Add(step, container.amounts);
    if (container.restartable) sidecars = step;
    RaiseTo(starting, step);
  }
  Add(running, sidecars);
  RaiseTo(running, starting);
  const Amounts& own = pod.of_pod;
  if (own.milli_cpu > 0) running.milli_cpu = own.milli_cpu;
  if (own.memory_bytes > 0) running.memory_bytes = own.memory_bytes;
  for (const auto& [name, amount] : own.extended) running.extended[name] = amount;
  Add(running, pod.overhead);
  return running;
}

}  // namespace fairlead::extender
