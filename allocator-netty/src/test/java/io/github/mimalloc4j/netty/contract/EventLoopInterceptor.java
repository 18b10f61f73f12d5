package io.github.mimalloc4j.netty.contract;

import io.github.mimalloc4j.netty.support.BufferKind;
import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Moves the methods of a test to the event loop if its buffer kind asks for that. */
final class EventLoopInterceptor implements InvocationInterceptor {
  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    proceed(invocation, method);
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    proceed(invocation, method);
  }

  @Override
  public void interceptAfterEachMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    proceed(invocation, method);
  }

  private static void proceed(
      Invocation<Void> invocation, ReflectiveInvocationContext<Method> method) throws Throwable {
    ByteBufContract test = (ByteBufContract) method.getTarget().orElseThrow();
    if (test.kind.threads() != BufferKind.Threads.EVENT_LOOP) {
      invocation.proceed();
      return;
    }
    Throwable thrown =
        BufferKind.onEventLoop(
            () -> {
              try {
                invocation.proceed();
                return null;
              } catch (Throwable t) {
                return t;
              }
            });
    if (thrown != null) {
      throw thrown;
    }
  }
}
