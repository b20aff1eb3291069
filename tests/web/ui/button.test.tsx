import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type FormEvent, useState } from 'react';
import { expect, it } from 'vitest';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Kbd } from '#web/ui/kbd.tsx';

/** A form that is under way from its first sending on, as long as nobody lets it end. */
function Form({ sent }: { readonly sent: string[] }) {
  const [loading, setLoading] = useState(false);
  const send = (event: FormEvent) => {
    event.preventDefault();
    sent.push('once');
    setLoading(true);
  };
  return (
    <form onSubmit={send}>
      <input aria-label="Name" />
      <Button type="submit" loading={loading} rightSection={<Kbd keys="mod+S" />}>
        Save
      </Button>
    </form>
  );
}

it('is not pressed twice, neither by pointer nor by key, and keeps the focus', async () => {
  const user = userEvent.setup();
  const sent: string[] = [];
  render(<Form sent={sent} />);
  const button = screen.getByRole('button', { name: /^Save/ });
  await user.click(button);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await user.click(button);
  await user.keyboard('{Enter} ');
  expect(document.activeElement).toBe(button);
  await user.type(screen.getByLabelText('Name'), 'Anna{Enter}');
  expect(sent).toEqual(['once']);
  expect(screen.getByRole('button', { name: /^Save/ })).toBe(button);
});

it('stops the events of a press that it ignores', async () => {
  const user = userEvent.setup();
  const heard: string[] = [];
  render(
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div onClick={() => heard.push('around')}>
      <IconButton aria-label="Undo" loading onClick={() => heard.push('button')} />
      <IconButton aria-label="Redo" disabled onClick={() => heard.push('button')} />
    </div>,
  );
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await user.click(screen.getByRole('button', { name: 'Redo' }));
  expect(heard).toEqual([]);
});

it('sends no form unless it says so, and is called by its words or its label', async () => {
  const user = userEvent.setup();
  const sent: string[] = [];
  render(
    <form onSubmit={() => sent.push('sent')}>
      <Button leftSection={<svg aria-hidden="true" />}>Add a condition</Button>
      <IconButton aria-label="Close">
        <svg aria-hidden="true" />
      </IconButton>
    </form>,
  );
  await user.click(screen.getByRole('button', { name: 'Add a condition' }));
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(sent).toEqual([]);
});
