import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';

/** Adds a field of the archive to those that are corrected; its row is returned. */
export async function choose(user: UserEvent, label: string): Promise<HTMLElement> {
  const adder = await screen.findByRole('combobox', { name: /which field|another field/i });
  await user.click(adder);
  await user.type(adder, label);
  await user.click(await screen.findByRole('option', { name: label }));
  return screen.findByRole('group', { name: label });
}

/** Adds a field and types its new value. */
export async function type(user: UserEvent, label: string, text: string): Promise<void> {
  const group = await choose(user, label);
  const box = within(group).getByLabelText(label);
  await user.click(box);
  await user.type(box, text);
}

/** The box of a revision in the preview: whether it takes part. */
export function row(id: string): Promise<HTMLElement> {
  return screen.findByRole('checkbox', { name: new RegExp(`revision ${id}\\b`) });
}

/** What the preview says of a revision. */
export async function lineOf(id: string): Promise<string> {
  return (await row(id)).closest('li')?.textContent ?? '';
}

/** The button that sends the correction. */
export function correctButton(): HTMLElement {
  return screen.getByRole('button', { name: /^correct(?: [\d,]+ revisions?)?$/i });
}
