package io.github.mimalloc4j.netty.project;

/** Classes to tell what is seen of them. */
public final class PublicApiSample {

  private PublicApiSample() {}

  static class Hidden {

    public void inherited() {}

    void ofThePackage() {}
  }

  /** All that a program sees is in one line each. */
  protected abstract static class Visible extends Hidden implements Runnable {

    public static final int CONSTANT = 1;

    private int own;

    protected Visible(int own) {
      this.own = own;
    }

    Visible() {}

    @Override
    public synchronized void run() {
      own++;
    }
  }
}
