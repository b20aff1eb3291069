/** Fields that somebody else has changed too: whose values are kept. */
import { rich } from '../rich.ts';
import { plural } from './language.ts';

export const changedMeanwhile = 'Changed meanwhile';
export const choose = <Part>(keys: { theirs: Part; yours: Part; before: Part; enter: Part }) =>
  rich`Choose: ${keys.theirs} theirs, ${keys.yours} yours, ${keys.before} the value before both, ${keys.enter} when all are chosen.`;
export const noConflict = <Part>(enter: Part) =>
  rich`None of the fields that you changed is among them. Press ${enter} to continue.`;
export const sides = { theirs: 'Theirs', mine: 'Yours', base: 'Before' };
export const takenOver = 'Taken over from them';
export const yoursStay = 'Yours stay';
export const actions = {
  take: (count: number) => plural(count, { one: 'Take this value', other: 'Take these values' }),
  save: (count: number) =>
    plural(count, { one: 'Save with this value', other: 'Save with these values' }),
};
export const backToForm = 'Back to the form';
