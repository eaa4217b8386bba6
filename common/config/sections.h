// One reader for each top-level key. Each writes its part of the Config and adds what is wrong to
// the problems; a null node means that the key is not there.
#pragma once

#include "common/config/config.h"
#include "common/config/document.h"
#include "common/config/problems.h"

namespace fairlead {

void ReadSite(const DocumentNode& node, Config& config, Problems& problems);
void ReadSites(const std::vector<DocumentNode>& items, Config& config, Problems& problems);
// After the sites, which lines and nodes refer to.
void ReadLines(const std::vector<DocumentNode>& items, Config& config, Problems& problems);
void ReadNodes(const std::vector<DocumentNode>& items, Config& config, Problems& problems);
void ReadTls(const DocumentNode& node, Config& config, Problems& problems);
void ReadDetector(const DocumentNode& node, Config& config, Problems& problems);
void ReadLinkprobe(const DocumentNode& node, Config& config, Problems& problems);
void ReadExtender(const DocumentNode& node, Config& config, Problems& problems);
// extender.kubernetes, after the nodes.
void ReadKubernetes(const DocumentNode& node, Config& config, Problems& problems);
// extender.prometheus, after the sites.
void ReadPrometheus(const DocumentNode& node, Config& config, Problems& problems);
// extender.bandwidth.
void ReadBandwidth(const DocumentNode& node, Config& config, Problems& problems);
// After the sites.
void ReadMigration(const DocumentNode& node, Config& config, Problems& problems);
void ReadDeviceplugin(const DocumentNode& node, Config& config, Problems& problems);

}  // namespace fairlead
