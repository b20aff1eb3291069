/**
 * What the size of a document means: so wide on paper, so many pixels, or letters of the usual size. A factor that suits
 * one does not suit the others.
 */
export type Measure = 'paper' | 'pixels' | 'letters';

/** Width and height in CSS pixels at a zoom of 1. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

/** A rectangle of a page, in CSS pixels at a zoom of 1. */
export interface PageBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A piece of a page's text with the rectangle in which it stands. */
export interface TextPiece extends PageBox {
  /** with a line break at its end where the line ends */
  readonly text: string;
}

/** How often a page is turned clockwise. */
export type Rotation = 0 | 90 | 180 | 270;

/** Where and how large a page is drawn. */
export interface Drawing {
  /** 1-based */
  readonly page: number;
  readonly scale: number;
  readonly rotation: Rotation;
  readonly canvas: HTMLCanvasElement;
  /** gets the page's text to be selected; stays empty where a page has none */
  readonly layer: HTMLElement;
  readonly signal: AbortSignal;
}

/** A document of pages, whatever its format is. */
export interface PageSource {
  readonly pageCount: number;
  readonly firstSize: PageSize;
  readonly measure: Measure;
  size(page: number): Promise<PageSize>;
  draw(drawing: Drawing): Promise<void>;
  /** fills the layer of a page that is drawn with its text; missing where pages of this format have none */
  readonly layText?: (drawing: Drawing) => Promise<void>;
  /** the text of a page as its layer holds it; null where pages of this format have none */
  readonly text: ((page: number) => Promise<string>) | null;
  /** the same text in pieces; missing where pages of this format have none */
  readonly pieces?: (page: number) => Promise<readonly TextPiece[]>;
  close(): void;
}

/** What a clerk is told about a file that cannot be shown. */
export class CannotShow extends Error {
  override readonly name = 'CannotShow';
}

/** More pixels than browsers can hold in one canvas with certainty. */
const MAX_PIXELS = 16_000_000;

/** How many pixels of a canvas stand for one of CSS: as sharp as the screen, within what a canvas can hold. */
export function sharpness({ width, height }: PageSize): number {
  return Math.min(window.devicePixelRatio || 1, Math.sqrt(MAX_PIXELS / (width * height)));
}

/** The size of a page after it is turned. */
export function turned({ width, height }: PageSize, rotation: Rotation): PageSize {
  return rotation % 180 === 0 ? { width, height } : { width: height, height: width };
}
