package io.github.mimalloc4j.netty.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Registered;
import org.jspecify.annotations.Nullable;

/** Fields common to the events of an allocator. */
@Registered(false) // EventRegistration does it
@Category("Netty")
abstract class AllocatorEvent extends Event {

  @Label("Allocator Type")
  @Description("The class of the allocator")
  public @Nullable Class<?> allocatorType;

  @Label("Direct")
  @Description("Whether the memory is outside the Java heap")
  public boolean direct;
}
