/** Who else has a record open. `names` is a list of people. */
import { plural } from './language.ts';

export const editing = ({ count, names }: { count: number; names: string }) =>
  plural(count, {
    one: `${names} is editing this.`,
    other: `${names} are editing this.`,
  });
export const viewing = ({ count, names }: { count: number; names: string }) =>
  plural(count, {
    one: `${names} has this open.`,
    other: `${names} have this open.`,
  });
