import * as texts from '#messages/index-form.ts';
import { useRef } from 'react';
import { notify } from '#web/ui/notify.ts';
import { byPath, inputName, SERVICE_ERROR } from './form-values.ts';
import { blockingPaths, nextOpen, openPaths } from './open-fields.ts';
import type { FormFocus } from './use-form-focus.ts';
import type { RevisionFormState } from './use-revision-form.ts';

/** The fields that are empty or invalid, and moving to them. */
export function useOpenFields(
  { fields, form, base }: Pick<RevisionFormState, 'fields' | 'form' | 'base'>,
  { current, goTo }: Pick<FormFocus, 'current' | 'goTo'>,
) {
  // The target of the last jump, and its number of steps from the start.
  const jumped = useRef<{ to: string | null; steps: number }>({ to: null, steps: 0 });

  /** The open fields, and those of them that prevent saving. */
  const openFields = () => {
    const values = byPath(fields, form.getValues());
    const refused = fields.filter(
      (_, at) => form.getFieldState(inputName(at)).error?.type === SERVICE_ERROR,
    );
    const open = openPaths(fields, base.revision, values, new Set(refused.map(({ path }) => path)));
    return { open, urgent: blockingPaths(fields, open, values) };
  };
  return {
    hasOpen: () => openFields().open.length > 0,
    /** Moves to the next open field: first to the urgent ones, then through all of them in turn. */
    jump: (by: 1 | -1) => {
      const { open, urgent } = openFields();
      const paths = fields.map(({ path }) => path);
      const order = [...urgent, ...open.filter((path) => !urgent.includes(path))];
      const at = current !== null && jumped.current.to === current ? order.indexOf(current) : -1;
      const steps = at < 0 ? 0 : jumped.current.steps + by;
      const continues = at >= 0 && order.length > 1;
      if (continues && Math.abs(steps) === order.length) {
        jumped.current = { to: current, steps: 0 };
        return notify(texts.noOtherOpen);
      }
      const next = continues
        ? (order.at((at + by) % order.length) ?? null)
        : (nextOpen(paths, urgent, current, by) ?? nextOpen(paths, open, current, by));
      jumped.current = { to: next, steps };
      if (next !== null) goTo(next);
      else if (open.length > 0) notify(texts.onlyThisOpen);
      else notify(texts.noneOpen);
    },
  };
}
