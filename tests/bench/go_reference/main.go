// A reference extender with net/http and encoding/json, for comparison in the benchmarks only. Under
// /kube/prioritize it does what fairlead-extender does there: decode ExtenderArgs, find each node's
// site, score the sites of the pod's gang, and encode the answer. Under /empty it has no opinion:
// every node passes filter and is worth the same.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
)

// The part of core/v1 that placement reads; encoding/json skips the rest.
type pod struct {
	Metadata struct {
		Name            string            `json:"name"`
		Namespace       string            `json:"namespace"`
		UID             string            `json:"uid"`
		Labels          map[string]string `json:"labels"`
		Annotations     map[string]string `json:"annotations"`
		OwnerReferences []struct {
			Kind       string `json:"kind"`
			Name       string `json:"name"`
			UID        string `json:"uid"`
			Controller bool   `json:"controller"`
		} `json:"ownerReferences"`
	} `json:"metadata"`
	Spec struct {
		NodeName   string `json:"nodeName"`
		Containers []struct {
			Resources struct {
				Requests map[string]string `json:"requests"`
				Limits   map[string]string `json:"limits"`
			} `json:"resources"`
		} `json:"containers"`
	} `json:"spec"`
}

type node struct {
	Metadata struct {
		Name   string            `json:"name"`
		Labels map[string]string `json:"labels"`
	} `json:"metadata"`
}

type extenderArgs struct {
	Pod   *pod
	Nodes *struct {
		Items []node `json:"items"`
	}
	NodeNames *[]string
}

type hostPriority struct {
	Host  string
	Score int64
}

type filterResult struct {
	NodeNames *[]string
}

type server struct {
	sites map[string]string
	mutex sync.Mutex
	gangs map[string]map[string]int
}

func (s *server) siteOf(name string, labels map[string]string) string {
	if site, ok := s.sites[name]; ok {
		return site
	}
	return labels["topology.kubernetes.io/region"]
}

// Scores a site by whether the gang has members there already.
func (s *server) score(p *pod, site string) int64 {
	if p == nil || len(p.Metadata.OwnerReferences) == 0 {
		return 5
	}
	gang := p.Metadata.Namespace + "/" + p.Metadata.OwnerReferences[0].UID
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.gangs[gang][site] > 0 {
		return 10
	}
	return 5
}

func (s *server) prioritize(w http.ResponseWriter, r *http.Request) {
	var args extenderArgs
	if err := json.NewDecoder(r.Body).Decode(&args); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var scores []hostPriority
	bySite := map[string]int64{}
	add := func(name string, labels map[string]string) {
		site := s.siteOf(name, labels)
		score, ok := bySite[site]
		if !ok {
			score = s.score(args.Pod, site)
			bySite[site] = score
		}
		scores = append(scores, hostPriority{name, score})
	}
	if args.NodeNames != nil {
		for _, name := range *args.NodeNames {
			add(name, nil)
		}
	} else if args.Nodes != nil {
		for _, n := range args.Nodes.Items {
			add(n.Metadata.Name, n.Metadata.Labels)
		}
	}
	answer(w, scores)
}

func answer(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(value); err != nil {
		log.Print(err)
	}
}

// Calls then with the arguments of a request in the form of names.
func withNames(then func(http.ResponseWriter, []string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var args extenderArgs
		if err := json.NewDecoder(r.Body).Decode(&args); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if args.NodeNames == nil {
			http.Error(w, "NodeNames is missing", http.StatusBadRequest)
			return
		}
		then(w, *args.NodeNames)
	}
}

func passAll(w http.ResponseWriter, names []string) { answer(w, filterResult{&names}) }

func scoreNone(w http.ResponseWriter, names []string) {
	scores := make([]hostPriority, len(names))
	for i, name := range names {
		scores[i].Host = name
	}
	answer(w, scores)
}

func main() {
	config := flag.String("sites", "", "a JSON file: node name to site")
	flag.Parse()
	s := &server{sites: map[string]string{}, gangs: map[string]map[string]int{}}
	if *config != "" {
		data, err := os.ReadFile(*config)
		if err != nil {
			log.Fatal(err)
		}
		if err := json.Unmarshal(data, &s.sites); err != nil {
			log.Fatal(err)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("port %d\n", listener.Addr().(*net.TCPAddr).Port)
	http.HandleFunc("/kube/prioritize", s.prioritize)
	http.HandleFunc("/empty/filter", withNames(passAll))
	http.HandleFunc("/empty/prioritize", withNames(scoreNone))
	log.Fatal(http.Serve(listener, nil))
}
