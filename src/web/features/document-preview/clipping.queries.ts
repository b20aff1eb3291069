import * as texts from '#messages/clippings.ts';
import { queryOptions } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { spellingsOf } from '#shared/checks/page-spellings.ts';
import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import { documentSourceOf } from '#web/fields/document-source.ts';
import { type IndexFieldDefinition, storedIn } from '#web/fields/index-data.ts';
import { isList } from '#web/fields/value-checks.ts';
import { fileOf, type FileToOpen, type OpenFile, openFiles } from './open-file.ts';
import { type FoundPlace, findPlace, type PlaceQuery } from './page-places.ts';
import { CannotDisplayError, type PageBox, type PageSource } from './page-source.ts';
import { placeInSimilarDocuments } from './similar-documents.queries.ts';
import { hitsIn } from './use-value-highlight.ts';

/** A strip of a page in its full width. */
export interface PageClipping {
  readonly as: 'page';
  readonly canvas: HTMLCanvasElement;
  readonly place: FoundPlace;
  readonly pageCount: number;
  /** of the strip, in CSS pixels */
  readonly width: number;
  readonly height: number;
  /** the rectangle that was searched for, in the strip; null: the top of the page */
  readonly box: PageBox | null;
}

/** The characters around a value in a text file. */
interface TextClipping {
  readonly as: 'text';
  readonly before: string;
  readonly value: string;
  readonly after: string;
}

/** Height of a strip in CSS pixels. A larger view shows more of it. */
const STRIP = 260;
/** Images have any resolution: they are rendered at the width of an A4 page, in CSS pixels. */
const IMAGE_WIDTH = 794;
/** Width at which the top of a page is shown, which shows more of it, in CSS pixels. */
const TOP_WIDTH = 480;
/** Maximum width, in CSS pixels; wider pages are scaled down. */
const MAX_WIDTH = 1600;
/** Number of characters around the value. */
const AROUND = 240;

/** Limits how many documents are opened and rendered concurrently for clippings. */
const limit = pLimit(2);

/** A field of a revision. */
export interface ClippingSubject {
  readonly archive: ArchiveDetail;
  readonly revision: RevisionDetail;
  readonly field: IndexFieldDefinition;
}

/** The clipping of a revision's document; null: it has none that can be displayed. */
export const clippingQuery = ({ archive, revision, field }: ClippingSubject) =>
  queryOptions({
    queryKey: ['clipping', archive.table, revision.revisionId, field.name],
    queryFn: async ({ client, signal }): Promise<PageClipping | TextClipping | null> => {
      const file = fileOf(archive.table, revision);
      if (!file) return null;
      const valueOf = (name: string) => storedIn(revision, { name, definition: field });
      const stored = valueOf(field.name);
      const similar = {
        archive: archive.table,
        field,
        source: documentSourceOf(archive, field.name, valueOf),
        except: revision.revisionId,
      };
      const query = {
        value: isList(stored) ? null : spellingsOf(field.type, stored),
        label: spellingsOf('text', field.label),
        inSimilarDocuments: () => placeInSimilarDocuments(client, similar),
      };
      return limit(() => {
        signal.throwIfAborted();
        return createClipping(file, query, signal);
      });
    },
    staleTime: 'static',
    // Only what is on the screen stays in memory.
    gcTime: 0,
  });

/** Opens a file, finds the place of a field in it and renders its surroundings. @throws {CannotDisplayError | CallError} */
async function createClipping(
  file: FileToOpen,
  query: PlaceQuery,
  signal: AbortSignal,
): Promise<PageClipping | TextClipping> {
  const shown = openFiles.show(file);
  try {
    const open = await shown.file;
    signal.throwIfAborted();
    if (open.as === 'pages') return await stripOf(open.source, query, signal);
    return textAround(textOf(open), query.value);
  } finally {
    shown.release();
  }
}

async function stripOf(
  source: PageSource,
  query: PlaceQuery,
  signal: AbortSignal,
): Promise<PageClipping> {
  const place = await findPlace(source, query);
  signal.throwIfAborted();
  const { page, box } = place;
  const size = await source.size(page);
  const widest = !box ? TOP_WIDTH : source.measure === 'pixels' ? IMAGE_WIDTH : MAX_WIDTH;
  const scale = Math.min(1, widest / size.width);
  const [width, pageHeight] = [size.width * scale, size.height * scale];
  const height = Math.min(STRIP, pageHeight);
  const middle = box ? (box.top + box.height / 2) * scale : 0;
  const top = Math.max(0, Math.min(pageHeight - height, middle - height / 2));
  const whole = document.createElement('canvas');
  const layer = document.createElement('div');
  await source.draw({ page, scale, rotation: 0, canvas: whole, layer, signal });
  signal.throwIfAborted();
  const sharp = whole.width / width;
  const canvas = document.createElement('canvas');
  canvas.width = whole.width;
  canvas.height = Math.max(1, Math.round(height * sharp));
  canvas.getContext('2d')?.drawImage(whole, 0, -Math.round(top * sharp));
  // Frees its memory at once, without garbage collection.
  whole.width = 0;
  whole.height = 0;
  const inStrip = box && {
    left: box.left * scale,
    top: box.top * scale - top,
    width: box.width * scale,
    height: box.height * scale,
  };
  return { as: 'page', canvas, place, pageCount: source.pageCount, width, height, box: inStrip };
}

function textOf(open: Exclude<OpenFile, { as: 'pages' }>): string {
  if (open.as === 'text') return open.text;
  if (open.as === 'mail' && open.mail.text !== undefined) return open.mail.text;
  throw new CannotDisplayError(texts.noClippingOfType);
}

function textAround(text: string, value: RegExp | null): TextClipping {
  const [hit] = value ? hitsIn(text, value) : [];
  const { from, to } = hit ?? { from: 0, to: 0 };
  return {
    as: 'text',
    before: text.slice(Math.max(0, from - AROUND), from),
    value: text.slice(from, to),
    after: text.slice(to, to + AROUND),
  };
}
