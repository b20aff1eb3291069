import { CallError, summary } from '#web/api/failure.ts';

/**
 * The unit of a document's size: paper, pixels, or text at the normal size. A zoom factor for one does not suit the
 * others.
 */
export type LengthUnit = 'paper' | 'pixels' | 'letters';

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

/** A piece of a page's text with its rectangle. */
export interface TextPiece extends PageBox {
  /** with a line break at its end where the line ends */
  readonly text: string;
}

/** The clockwise rotation of a page. */
export type Rotation = 0 | 90 | 180 | 270;

export const NEXT_ROTATION: Readonly<Record<Rotation, Rotation>> = {
  0: 90,
  90: 180,
  180: 270,
  270: 0,
};

/** Which page is rendered, where, and at what size. */
export interface Drawing {
  /** 1-based */
  readonly page: number;
  readonly scale: number;
  readonly rotation: Rotation;
  readonly canvas: HTMLCanvasElement;
  /** receives the selectable text of the page; stays empty if it has none */
  readonly layer: HTMLElement;
  readonly signal: AbortSignal;
}

/** A document with pages, in any format. */
export interface PageSource {
  readonly pageCount: number;
  readonly firstSize: PageSize;
  readonly measure: LengthUnit;
  size(page: number): Promise<PageSize>;
  draw(drawing: Drawing): Promise<void>;
  /** fills the text layer of a rendered page; missing if pages of this format have no text */
  readonly renderTextLayer?: (drawing: Drawing) => Promise<void>;
  /** the text of a page as in its layer; null if pages of this format have no text */
  readonly text: ((page: number) => Promise<string>) | null;
  /** the same text in pieces; missing if pages of this format have no text */
  readonly pieces?: (page: number) => Promise<readonly TextPiece[]>;
  close(): void;
}

/** An error with a message for the user about a file that cannot be displayed. */
export class CannotDisplayError extends Error {
  override readonly name = 'CannotDisplayError';
}

/** Why a file or page is not shown. @param because if the service did not answer with it; else `otherwise` */
export function displayProblem(
  error: unknown,
  because: (reason: string) => string,
  otherwise: string,
): string {
  if (error instanceof CannotDisplayError) return error.message;
  return error instanceof CallError ? because(summary(error.failure)) : otherwise;
}

/** The maximum number of pixels that browsers reliably support in a canvas. */
const MAX_PIXELS = 16_000_000;

/** The number of canvas pixels per CSS pixel: the screen's resolution, within the limits of a canvas. */
export function canvasScale({ width, height }: PageSize): number {
  return Math.min(window.devicePixelRatio || 1, Math.sqrt(MAX_PIXELS / (width * height)));
}

/** The size of a page after rotation. */
export function rotatedSize({ width, height }: PageSize, rotation: Rotation): PageSize {
  return rotation % 180 === 0 ? { width, height } : { width: height, height: width };
}
