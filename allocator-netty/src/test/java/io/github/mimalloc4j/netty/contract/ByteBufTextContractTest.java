package io.github.mimalloc4j.netty.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.support.NettyLine;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.AsciiString;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Text in and out, compared with what String makes of the same characters and bytes. */
class ByteBufTextContractTest extends ByteBufContract {
  private static final String ASCII = "The quick brown fox, 0123456789\r\n";
  private static final String LAST_OF_ONE_BYTE = "last: \u007f, next: \u0080";
  private static final String LATIN = "Stra\u00dfe, ni\u00f1o, \u00e9t\u00e9";

  /** One to four bytes a character in UTF-8, surrogate pairs included. */
  private static final String UNICODE =
      "a\u00e9\u20ac\u4e2d\u6587 \ud83d\ude00\ud834\udd1e \u07ff\u0800\uffff\ud7ff\ue000 end";

  static Stream<Arguments> texts() {
    return Stream.of(US_ASCII, ISO_8859_1, UTF_8, UTF_16, UTF_16BE, UTF_16LE)
        .flatMap(
            charset ->
                Stream.of("", "x", ASCII, LAST_OF_ONE_BYTE, LATIN, UNICODE, UNICODE.repeat(50))
                    // What the charset cannot express comes back as another character.
                    .filter(text -> charset.newEncoder().canEncode(text))
                    .map(text -> Arguments.of(charset, text)));
  }

  private static List<CharSequence> sequences(String text) {
    return List.of(text, new StringBuilder(text), CharBuffer.wrap(text));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void writtenTextIsWhatStringMakesOfIt(Charset charset, String text) {
    byte[] bytes = text.getBytes(charset);
    for (CharSequence sequence : sequences(text)) {
      ByteBuf buffer = newBuffer(1);
      assertThat(buffer.writeCharSequence(sequence, charset)).isEqualTo(bytes.length);
      assertThat(readableBytesOf(buffer)).isEqualTo(bytes);
      // Grown or not, there must be no trace beyond the text.
      assertIndexes(buffer, 0, bytes.length);
    }
  }

  @ParameterizedTest
  @MethodSource("texts")
  void textWrittenWhereThereIsRoomTouchesNothingElse(Charset charset, String text) {
    byte[] bytes = text.getBytes(charset);
    for (CharSequence sequence : sequences(text)) {
      ByteBuf buffer = newBuffer(20 + 4 * (text.length() + 1));
      byte[] model = fill(buffer);
      buffer.setIndex(2, 9);
      assertThat(buffer.writeCharSequence(sequence, charset)).isEqualTo(bytes.length);
      System.arraycopy(bytes, 0, model, 9, bytes.length);
      assertThat(contentOf(buffer)).isEqualTo(model);
      assertIndexes(buffer, 2, 9 + bytes.length);
    }
  }

  @ParameterizedTest
  @MethodSource("texts")
  void setTextTouchesNothingElse(Charset charset, String text) {
    byte[] bytes = text.getBytes(charset);
    for (CharSequence sequence : sequences(text)) {
      // The room that an encoder reserves: three bytes a character in UTF-8, four with a mark.
      ByteBuf buffer = newBuffer(20 + 4 * (text.length() + 1));
      byte[] model = fill(buffer);
      assertThat(buffer.setCharSequence(9, sequence, charset)).isEqualTo(bytes.length);
      System.arraycopy(bytes, 0, model, 9, bytes.length);
      assertThat(contentOf(buffer)).isEqualTo(model);
      assertIndexes(buffer, 0, 0);
    }
  }

  @ParameterizedTest
  @MethodSource("texts")
  void readTextIsWhatStringMakesOfTheBytes(Charset charset, String text) {
    byte[] bytes = text.getBytes(charset);
    ByteBuf buffer = newBuffer(bytes.length + 20);
    buffer.writeZero(3).writeBytes(bytes).writeZero(3).readerIndex(3);

    assertThat(buffer.toString(3, bytes.length, charset)).isEqualTo(text);
    assertThat(buffer.getCharSequence(3, bytes.length, charset).toString()).isEqualTo(text);
    assertIndexes(buffer, 3, bytes.length + 6);
    assertThat(buffer.readCharSequence(bytes.length, charset).toString()).isEqualTo(text);
    assertIndexes(buffer, bytes.length + 3, bytes.length + 6);
    assertThat(buffer.setIndex(3, 3 + bytes.length).toString(charset)).isEqualTo(text);
  }

  @ParameterizedTest
  @MethodSource("texts")
  @Tag(NettyLine.NEEDS_4_2)
  void readStringIsWhatStringMakesOfTheBytes(Charset charset, String text) {
    byte[] bytes = text.getBytes(charset);
    ByteBuf buffer = newBuffer(bytes.length + 20);
    buffer.writeZero(3).writeBytes(bytes).writeZero(3).readerIndex(3);

    assertThat(buffer.readString(bytes.length, charset)).isEqualTo(text);
    assertIndexes(buffer, bytes.length + 3, bytes.length + 6);
  }

  /** Netty takes every character of one byte for ASCII; String would replace those above 0x7f. */
  @Test
  void asciiAndLatinReplaceWhatIsNoByte() {
    byte[] expected = {'a', '?', 'b', (byte) 0xe9};
    for (Charset charset : List.of(US_ASCII, ISO_8859_1)) {
      ByteBuf buffer = newBuffer(100);
      assertThat(buffer.writeCharSequence("a\u20acb\u00e9", charset)).isEqualTo(4);
      assertThat(readableBytesOf(buffer)).isEqualTo(expected);
    }
  }

  @Test
  void loneSurrogatesBecomeQuestionMarksInUtf8() {
    for (String text : List.of("a\ud83d", "\ude00b", "\ud83dx", "\ude00\ud83d")) {
      ByteBuf buffer = newBuffer(1);
      int length = buffer.writeCharSequence(text, UTF_8);
      assertThat(readableBytesOf(buffer)).isEqualTo(text.getBytes(UTF_8));
      assertThat(length).isEqualTo(text.length());
    }
  }

  @Test
  void malformedUtf8IsReplacedAsStringDoes() {
    byte[] bytes = {'a', (byte) 0xc3, 'b', (byte) 0xe2, (byte) 0x82, 'c', (byte) 0xff, (byte) 0xf0};
    ByteBuf buffer = newBuffer(bytes);
    assertThat(buffer.toString(UTF_8)).isEqualTo(new String(bytes, UTF_8));
    assertThat(buffer.readCharSequence(bytes.length, UTF_8)).hasToString(new String(bytes, UTF_8));
  }

  @Test
  void asciiStringsGoInAndComeOut() {
    ByteBuf buffer = newBuffer(1);
    assertThat(buffer.writeCharSequence(AsciiString.of(ASCII), US_ASCII)).isEqualTo(ASCII.length());
    CharSequence read = buffer.getCharSequence(0, ASCII.length(), US_ASCII);
    assertThat(read).hasToString(ASCII);
    // It must be a copy: the buffer goes on living.
    buffer.setZero(0, ASCII.length());
    assertThat(read).hasToString(ASCII);
  }

  @Test
  void utilitiesWriteText() {
    ByteBuf buffer = newBuffer(1);
    int length = ByteBufUtil.writeUtf8(buffer, UNICODE);
    assertThat(readableBytesOf(buffer)).isEqualTo(UNICODE.getBytes(UTF_8));
    assertThat(length).isEqualTo(ByteBufUtil.utf8Bytes(UNICODE));
    assertThat(ByteBufUtil.writeAscii(buffer.clear(), ASCII)).isEqualTo(ASCII.length());
    assertThat(buffer.toString(US_ASCII)).isEqualTo(ASCII);
    assertThat(ByteBufUtil.isText(buffer, UTF_8)).isTrue();
    buffer.setByte(0, 0xff);
    assertThat(ByteBufUtil.isText(buffer, UTF_8)).isFalse();
  }

  @Test
  void textThatDoesNotFitIsRefused() {
    ByteBuf buffer = newBuffer(10, 10);
    fill(buffer);
    assertOutOfBounds(buffer, () -> buffer.setCharSequence(4, "1234567", US_ASCII));
    assertOutOfBounds(buffer, () -> buffer.setCharSequence(-1, "1", US_ASCII));
    assertOutOfBounds(buffer, () -> buffer.writeCharSequence("12345678901", US_ASCII));
    assertOutOfBounds(buffer, () -> buffer.writeCharSequence("12345678901", UTF_8));
    assertOutOfBounds(buffer, () -> buffer.setCharSequence(5, "12", UTF_8)); // three bytes for each
    assertThat(buffer.setCharSequence(4, "12", UTF_8)).isEqualTo(2);
    assertThat(buffer.writeCharSequence("1234567890", US_ASCII)).isEqualTo(10);
  }

  /** writeCharSequence reserves for the longest encoding; with the exact length the text fits. */
  @Test
  void textFillsTheBufferToTheLastByte() {
    byte[] bytes = UNICODE.getBytes(UTF_8);
    ByteBuf buffer = newBuffer(bytes.length, bytes.length);
    assertOutOfBounds(buffer, () -> buffer.writeCharSequence(UNICODE, UTF_8));
    assertThat(ByteBufUtil.reserveAndWriteUtf8(buffer, UNICODE, bytes.length))
        .isEqualTo(bytes.length);
    assertThat(contentOf(buffer)).isEqualTo(bytes);
    assertThat(buffer.toString(UTF_8)).isEqualTo(UNICODE);
  }
}
