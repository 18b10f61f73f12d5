-- The load of end-to-end for wrk. A size is that of a body in bytes; below 0 there is none.
local sizes = {@SIZES@}
-- Requests that are sent together, and are answered before the next.
local pipelined = @PIPELINED@
local prepared = {}
local next = 0

-- Once for each thread, before the load: formatting a request takes longer than sending it.
init = function(args)
  for i, size in ipairs(sizes) do
    local one
    if size < 0 then
      one = wrk.format("GET", "@PATH@")
    else
      one = wrk.format("POST", "/echo", nil, string.rep("x", size))
    end
    prepared[i] = string.rep(one, pipelined)
  end
end

request = function()
  next = next % #prepared + 1
  return prepared[next]
end

done = function(summary, latency, requests)
  local function tell(name, value)
    io.write(string.format("end-to-end %s %d\n", name, value))
  end
  tell("requests", summary.requests)
  tell("micros", summary.duration)
  for _, kind in ipairs({"connect", "read", "write", "status", "timeout"}) do
    tell("errors-" .. kind, summary.errors[kind])
  end
end
