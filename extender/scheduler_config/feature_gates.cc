#include "extender/scheduler_config/feature_gates.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "common/base/quote.h"

namespace fairlead::extender {
namespace {

constexpr std::array<std::string_view, 6> kTrue{"true", "True", "TRUE", "t", "T", "1"};
constexpr std::array<std::string_view, 6> kFalse{"false", "False", "FALSE", "f", "F", "0"};

// Sorted.
constexpr auto kKnown =
    std::to_array<std::string_view>({"APIResponseCompression",
                                     "APIServerIdentity",
                                     "APIServerWebhookAuthenticationToken",
                                     "APIServingWithRoutine",
                                     "AllAlpha",
                                     "AllBeta",
                                     "AllowParsingUserUIDFromCertAuth",
                                     "AllowUnsafeMalformedObjectDeletion",
                                     "AtomicFIFO",
                                     "AtomicWriteVolumeUserFields",
                                     "AuthorizePodWebsocketUpgradeCreatePermission",
                                     "CBORServingAndStorage",
                                     "CPUManagerPolicyAlphaOptions",
                                     "CPUManagerPolicyBetaOptions",
                                     "CRDObservedGenerationTracking",
                                     "CRIListStreaming",
                                     "CSIVolumeHealth",
                                     "ClearingNominatedNodeNameAfterBinding",
                                     "ClientsAllowCARotation",
                                     "ClientsAllowCBOR",
                                     "ClientsAllowTLSCacheGC",
                                     "ClientsPreferCBOR",
                                     "CloudControllerManagerWatchBasedRoutesReconciliation",
                                     "CloudControllerManagerWebhook",
                                     "ComponentFlagz",
                                     "ComponentStatusz",
                                     "CompositePodGroup",
                                     "ConcurrentWatchObjectDecode",
                                     "ConsistentListFromCacheSkipTimeoutFallback",
                                     "ConstrainedImpersonation",
                                     "ContainerCheckpoint",
                                     "ContainerRestartRules",
                                     "ContainerStopSignals",
                                     "ContextualLogging",
                                     "CoordinatedLeaderElection",
                                     "CrossNamespaceVolumeDataSource",
                                     "DRAConsumableCapacity",
                                     "DRADerivedAttributes",
                                     "DRADeviceBindingConditions",
                                     "DRADeviceCompatibilityGroups",
                                     "DRAFractionalCapacityRange",
                                     "DRAListTypeAttributes",
                                     "DRANodeAllocatableResources",
                                     "DRAOptionalNodeOperations",
                                     "DRAPartitionableDevices",
                                     "DRAPartitionableDevicesType",
                                     "DRAResourceClaimGranularStatusAuthorization",
                                     "DRAResourcePoolStatus",
                                     "DRASchedulerFilterTimeout",
                                     "DRAWorkloadResourceClaims",
                                     "DeclarativeValidationBeta",
                                     "DefaultPodSysctls",
                                     "DeploymentReplicaSetTerminatingReplicas",
                                     "DetectCacheInconsistency",
                                     "EmptyDirVolumeMode",
                                     "EnvFiles",
                                     "EtcdRangeStream",
                                     "EventedPLEG",
                                     "EvictionRequestAPI",
                                     "ExcludeAdmissionWebhookVirtualResources",
                                     "ExtendWebSocketsToKubelet",
                                     "GRPCContainerProbeTLS",
                                     "GenericWorkload",
                                     "GracefulNodeShutdown",
                                     "GracefulNodeShutdownBasedOnPodPriority",
                                     "H2CContainerProbe",
                                     "HPAGeneration",
                                     "HPAOptimizedSelectorStore",
                                     "HPAScaleToZero",
                                     "HugepageAwareEviction",
                                     "ImageVolumeWithDigest",
                                     "InOrderInformersBatchProcess",
                                     "InPlacePodLevelResourcesVerticalScaling",
                                     "InPlacePodVerticalScalingExclusiveCPUs",
                                     "InPlacePodVerticalScalingExclusiveMemory",
                                     "InPlacePodVerticalScalingMemoryBackedVolumes",
                                     "InPlacePodVerticalScalingSchedulerPreemption",
                                     "InterPodAffinityHostnameFastPath",
                                     "KubeProxyNFTablesLocalhostNodePorts",
                                     "KubeletAllocatedPodsEndpoint",
                                     "KubeletCrashLoopBackOffMax",
                                     "KubeletEnsureSecretPulledImages",
                                     "KubeletInUserNamespace",
                                     "KubeletSeparateDiskGC",
                                     "KubeletServiceAccountTokenForCredentialProviders",
                                     "ListFromCacheSnapshot",
                                     "LocalStorageCapacityIsolationFSQuotaMonitoring",
                                     "LoggingAlphaOptions",
                                     "LoggingBetaOptions",
                                     "ManifestBasedAdmissionControlConfig",
                                     "MatchLabelKeysInPodTopologySpread",
                                     "MatchLabelKeysInPodTopologySpreadSelectorMerge",
                                     "MaxUnavailableStatefulSet",
                                     "MemoryQoS",
                                     "MutablePVNodeAffinity",
                                     "MutablePodResourcesForSuspendedJobs",
                                     "MutableSchedulingDirectivesForSuspendedJobs",
                                     "NFTablesNetlink",
                                     "NativeHistograms",
                                     "NodeControllerLeaseCircuitBreaker",
                                     "NodeLifecycleConditions",
                                     "NominatedNodeNameForExpectation",
                                     "OpenAPIEnums",
                                     "OpportunisticBatching",
                                     "PersistentVolumeClaimUnusedSinceTime",
                                     "PodAndContainerStatsFromCRI",
                                     "PodDeletionCost",
                                     "PodGroupPreemptionPolicy",
                                     "PodLevelResourceManagers",
                                     "PodLevelResources",
                                     "PodLevelResourcesFixDefaulting",
                                     "PodLevelResourcesFixKubeletQOSClass",
                                     "PodLogsQuerySplitStreams",
                                     "PodTopologyLabelsAdmission",
                                     "PodsAPI",
                                     "PortForwardWebsockets",
                                     "QOSReserved",
                                     "ReduceDefaultCrashLoopBackOffDecay",
                                     "ReloadKubeletClientCAFile",
                                     "ReloadKubeletServerCertificateFile",
                                     "RemoteRequestHeaderUID",
                                     "ResourceHealthStatus",
                                     "ResourceHealthStatusMessage",
                                     "RestartAllContainersOnContainerExits",
                                     "RotateKubeletServerCertificate",
                                     "RuntimeClassInImageCriApi",
                                     "SchedulerAsyncAPICalls",
                                     "SchedulerAsyncPreemption",
                                     "SchedulerPopFromBackoffQ",
                                     "SchedulerPreQueueingHints",
                                     "ServiceAccountNodeAudienceRestriction",
                                     "ShardedListAndWatch",
                                     "SizeBasedListCostEstimate",
                                     "StaleControllerConsistencyDaemonSet",
                                     "StaleControllerConsistencyHPA",
                                     "StaleControllerConsistencyJob",
                                     "StaleControllerConsistencyReplicaSet",
                                     "StaleControllerConsistencyStatefulSet",
                                     "StatefulSetRecreateStrategy",
                                     "StatefulSetSemanticRevisionComparison",
                                     "StorageCapacityScoring",
                                     "StorageVersionAPI",
                                     "StorageVersionHash",
                                     "StrictIPCIDRValidation",
                                     "StructuredAuthenticationConfigurationEgressSelector",
                                     "StructuredAuthenticationConfigurationJWKSMetrics",
                                     "TaintTolerationComparisonOperators",
                                     "TokenRequestServiceAccountUIDValidation",
                                     "TopologyAwareWorkloadScheduling",
                                     "TopologyManagerPolicyAlphaOptions",
                                     "TopologyManagerPolicyBetaOptions",
                                     "TranslateStreamCloseWebsocketRequests",
                                     "UnauthenticatedHTTP2DOSMitigation",
                                     "UnknownVersionInteroperabilityProxy",
                                     "UnlockWhileProcessingFIFO",
                                     "UserNamespacesHostNetworkSupport",
                                     "VolumeBindMountOptions",
                                     "VolumeLimitScaling",
                                     "WatchList",
                                     "WatchListClient",
                                     "WatchListCompression",
                                     "WebhookRoundTripLoadBalancing",
                                     "WindowsCPUAndMemoryAffinity",
                                     "WindowsGracefulNodeShutdown",
                                     "WorkloadWithJob"});
static_assert(std::ranges::is_sorted(kKnown));

std::string_view Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool IsName(std::string_view text) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !text.empty() && std::ranges::all_of(text, letter);
}

}  // namespace

Result<FeatureGates> ParseFeatureGates(std::string_view text) {
  FeatureGates gates;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    begin = end + 1;
    if (word.empty()) continue;
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string_view name = Trimmed(word.substr(0, equals));
    const std::string_view value =
        equals < word.size() ? Trimmed(word.substr(equals + 1)) : std::string_view();
    const bool on = std::ranges::find(kTrue, value) != kTrue.end();
    if (!IsName(name) || (!on && std::ranges::find(kFalse, value) == kFalse.end())) {
      return Fail(ErrorCode::kInvalidArgument,
                  Quoted(word) +
                      " is no feature gate; write them like OpportunisticBatching=false,"
                      "OtherGate=true");
    }
    gates[std::string(name)] = on;
  }
  return gates;
}

bool IsKubeFeatureGate(std::string_view name) { return std::ranges::binary_search(kKnown, name); }

}  // namespace fairlead::extender
