package io.github.mimalloc4j.activationtests.programs;

import io.github.mimalloc4j.netty.MiMalloc;
import java.security.Permission;
import java.util.PropertyPermission;

/** Activates the allocator where a security manager denies access to the property. */
@SuppressWarnings("removal") // of the security manager, in JDK 24
public final class InstallWithoutPermission {

  private InstallWithoutPermission() {}

  public static void main(String[] args) throws Exception {
    String denied = args[0];
    System.setSecurityManager(
        new SecurityManager() {
          @Override
          public void checkPermission(Permission permission) {
            if (permission instanceof PropertyPermission
                && permission.getName().equals("io.netty.allocator.type")
                && permission.getActions().contains(denied)) {
              throw new SecurityException(permission + " is denied");
            }
          }
        });
    Report.value("installed", MiMalloc.install());
    Echo.run();
  }
}
