import { isInstant, isText, valueType } from '#shared/values/registry.ts';
import type { ListField } from '../list-tools/list-field.ts';

/** Minimum and maximum width of a column in pixels. */
export const COLUMN_WIDTH = { min: 56, max: 900 } as const;

export function clampWidth(width: number): number {
  return Math.min(COLUMN_WIDTH.max, Math.max(COLUMN_WIDTH.min, width));
}

/** The initial width of a column in pixels: by type, and wide enough for its heading. */
export function startWidth(field: ListField): number {
  const heading = field.label.length * 7.2 + 52;
  return Math.round(Math.min(Math.max(heading, valueWidth(field)), 260));
}

function valueWidth({ type, maxLength, kind }: ListField): number {
  const { columnWidth } = valueType(type);
  // Instants of the service are shown without an offset.
  if (isInstant({ type }) && kind === 'meta') return 140;
  if (!isText({ type })) return columnWidth;
  return (maxLength ?? 1000) <= 40 ? 120 : (maxLength ?? 1000) <= 120 ? 170 : columnWidth;
}
