package io.github.mimalloc4j.core.heap;

/** What the races see of a {@link Mailbox}, so that a broken one can take its place. */
public interface Notices {

  void post(int page);

  /** Takes all and returns them, one decimal digit a page: how often it came out. */
  int takeAll();

  /** The real mailbox. */
  static Notices real(int pages) {
    Mailbox<Block> mailbox = new Mailbox<>();
    Page<?>[] page = new Page<?>[pages];
    for (int i = 0; i < pages; i++) {
      page[i] = Page.none();
    }
    return new Notices() {
      @Override
      @SuppressWarnings("unchecked") // pages without blocks are pages of any type of block
      public void post(int index) {
        mailbox.post((Page<Block>) page[index]);
      }

      @Override
      public int takeAll() {
        int taken = 0;
        Page<Block> next;
        for (Page<Block> at = mailbox.takeAll(); at != null; at = next) {
          next = at.nextInMailbox;
          taken += digit(indexOf(at));
        }
        return taken;
      }

      private int indexOf(Page<Block> wanted) {
        int index = 0;
        while (page[index] != wanted) {
          index++;
        }
        return index;
      }
    };
  }

  /** 1, 10, 100, … */
  static int digit(int index) {
    int digit = 1;
    for (int i = 0; i < index; i++) {
      digit *= 10;
    }
    return digit;
  }
}
