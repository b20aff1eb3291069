import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';

/** Chooses a command of the overflow menu (⋯) of a bar. @param place which holds the bar */
export async function chooseMore(user: UserEvent, place: HTMLElement, name: string): Promise<void> {
  await user.click(within(place).getByRole('button', { name: 'More commands' }));
  const menu = await screen.findByRole('menu');
  const items = within(menu);
  const checkbox = items.queryByRole('menuitemcheckbox', { name });
  await user.click(checkbox ?? items.getByRole('menuitem', { name }));
}
