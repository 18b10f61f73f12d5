-- The load of end-to-end for wrk. A size is that of a body in bytes; below 0 there is none.
local sizes = {@SIZES@}
local prepared = {}
local next = 0

-- Once for each thread, before the load: formatting a request takes longer than sending it.
init = function(args)
  for i, size in ipairs(sizes) do
    if size < 0 then
      prepared[i] = wrk.format("GET", "/plaintext")
    else
      prepared[i] = wrk.format("POST", "/echo", nil, string.rep("x", size))
    end
  end
end

request = function()
  next = next % #prepared + 1
  return prepared[next]
end

-- Times are in microseconds.
done = function(summary, latency, requests)
  local function tell(name, value)
    io.write(string.format("end-to-end %s %d\n", name, value))
  end
  tell("requests", summary.requests)
  tell("micros", summary.duration)
  tell("p50", latency:percentile(50))
  tell("p90", latency:percentile(90))
  tell("p99", latency:percentile(99))
  tell("p99.9", latency:percentile(99.9))
  tell("max", latency.max)
  for _, kind in ipairs({"connect", "read", "write", "status", "timeout"}) do
    tell("errors-" .. kind, summary.errors[kind])
  end
end
