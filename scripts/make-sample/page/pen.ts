import type PdfKit from 'pdfkit';

/** Three of the fonts that every PDF reader has, so that none needs to be in the file. */
export interface Face {
  readonly regular: string;
  readonly bold: string;
  readonly italic: string;
}

export interface TextStyle {
  readonly font: string;
  /** points */
  readonly size: number;
  /** #rrggbb */
  readonly color?: string;
  /** where `x` is on the text */
  readonly align?: 'left' | 'right' | 'center';
  /** extra space between letters, points */
  readonly tracking?: number;
}

/** A4, in points; the origin is the upper left corner. */
export const PAGE_WIDTH = 595.28;
export const PAGE_HEIGHT = 841.89;

/** Draws on the current page at absolute places; nothing flows, nothing starts a page by itself. */
export class Pen {
  readonly #document: InstanceType<typeof PdfKit>;

  constructor(document: InstanceType<typeof PdfKit>) {
    this.#document = document;
  }

  /** The width of the text in points. */
  measure(text: string, { font, size, tracking = 0 }: TextStyle): number {
    return this.#document
      .font(font)
      .fontSize(size)
      .widthOfString(text, { characterSpacing: tracking });
  }

  /** @param y the base line */
  text(text: string, x: number, y: number, style: TextStyle): void {
    const { align = 'left', color = '#000000', tracking = 0 } = style;
    const width = align === 'left' ? 0 : this.measure(text, style);
    const start = align === 'right' ? x - width : align === 'center' ? x - width / 2 : x;
    this.#document.font(style.font).fontSize(style.size).fillColor(color).text(text, start, y, {
      lineBreak: false,
      baseline: 'alphabetic',
      characterSpacing: tracking,
    });
  }

  /** Lines of text one below the other. */
  texts(lines: readonly string[], x: number, y: number, leading: number, style: TextStyle): void {
    lines.forEach((line, at) => this.text(line, x, y + at * leading, style));
  }

  rule(x1: number, x2: number, y: number, width = 0.5, color = '#000000'): void {
    this.#document.lineWidth(width).moveTo(x1, y).lineTo(x2, y).stroke(color);
  }

  /** An upright line. */
  post(x: number, y1: number, y2: number, width = 0.5, color = '#000000'): void {
    this.#document.lineWidth(width).moveTo(x, y1).lineTo(x, y2).stroke(color);
  }

  fill(x: number, y: number, width: number, height: number, color: string): void {
    this.#document.rect(x, y, width, height).fill(color);
  }

  frame(x: number, y: number, width: number, height: number, line = 0.5, color = '#000000'): void {
    this.#document.lineWidth(line).rect(x, y, width, height).stroke(color);
  }

  disc(x: number, y: number, radius: number, color: string): void {
    this.#document.circle(x, y, radius).fill(color);
  }

  polygon(points: readonly (readonly [number, number])[], color: string): void {
    const document = this.#document;
    points.forEach(([x, y], at) => (at === 0 ? document.moveTo(x, y) : document.lineTo(x, y)));
    document.closePath().fill(color);
  }

  /** What `work` draws is turned about the point, clockwise, and lets the ground shine through. */
  turned(degrees: number, x: number, y: number, opacity: number, work: () => void): void {
    this.#document
      .save()
      .rotate(degrees, { origin: [x, y] })
      .opacity(opacity);
    work();
    this.#document.restore();
  }
}
