package com.example;

import io.github.mimalloc4j.micrometer.MiMallocMetrics;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** "/" returns the name of the connection's allocator, "/actuator/prometheus" the metrics. */
@RestController
@SpringBootApplication
public class Application {

  public static void main(String... args) {
    SpringApplication.run(Application.class, args);
  }

  /** The actuator binds it to the registry. */
  @Bean
  MiMallocMetrics allocatorMetrics() {
    return new MiMallocMetrics(MiMallocByteBufAllocator.DEFAULT);
  }

  @GetMapping("/")
  String allocator(ServerHttpResponse response) {
    NettyDataBufferFactory buffers = (NettyDataBufferFactory) response.bufferFactory();
    return buffers.getByteBufAllocator().getClass().getSimpleName() + "\n";
  }
}
