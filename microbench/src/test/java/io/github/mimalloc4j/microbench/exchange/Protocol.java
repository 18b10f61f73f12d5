package io.github.mimalloc4j.microbench.exchange;

/** What is exchanged, and how. */
enum Protocol {
  HTTP_1_OVER_TLS(Http1Exchange::run),
  HTTP_2(ends -> Http2Exchange.run(ends, false)),
  HTTP_2_OVER_TLS(ends -> Http2Exchange.run(ends, true)),
  WEB_SOCKET(ends -> WebSocketExchange.run(ends, false)),
  COMPRESSED_WEB_SOCKET(ends -> WebSocketExchange.run(ends, true)),
  PROXY(ProxyExchange::run);

  private final Exchange exchange;

  Protocol(Exchange exchange) {
    this.exchange = exchange;
  }

  /** Sends bodies and waits until all of them came back unchanged. */
  void exchange(Ends ends) throws Exception {
    exchange.run(ends);
  }

  private interface Exchange {
    void run(Ends ends) throws Exception;
  }
}
