import { useMedia } from '#web/ui/use-media.ts';

/**
 * The height of a row in pixels, also of headings: on narrow screens 44 for touch, plus the border
 * (revision-grid.module.css).
 */
export function useRowHeight(): number {
  return useMedia('(width < 720px)') ? 45 : 31;
}
