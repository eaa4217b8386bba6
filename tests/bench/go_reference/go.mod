module fairlead.dev/bench/go_reference

go 1.19
