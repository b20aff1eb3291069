import { useMedia } from '#web/ui/use-media.ts';

/** Pixels of a row, heading included: on narrow screens 44 for a finger and the line below (revision-grid.module.css). */
export function useRowHeight(): number {
  return useMedia('(width < 720px)') ? 45 : 31;
}
