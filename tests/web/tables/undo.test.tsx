/** @module-tag slow */
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { historyAnswer } from '#shared/contract/answers.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { COL, openGrids } from './open-grids.tsx';

const grids = await openGrids();
const UNDO = '{Control>}z{/Control}';
const REDO = '{Control>}y{/Control}';

describe('undoing', () => {
  test('goes step by step through what was typed, and forth again', async () => {
    const { typeInto, user, text, foot, stored } = await grids.open();
    await typeInto(0, COL.name, 'Screw{Enter}');
    await typeInto(0, COL.pieces, '8{Enter}');
    await foot().findByText('Saved');
    await user.keyboard(UNDO);
    await waitFor(() => expect(text(0, COL.pieces)).toBe('5'));
    expect(await screen.findByText('Undone: typing.')).toBeTruthy();
    await user.keyboard(UNDO);
    await waitFor(() => expect(text(0, COL.name)).toBe('Bolt'));
    await user.keyboard(REDO);
    await waitFor(() => expect(text(0, COL.name)).toBe('Screw'));
    await waitFor(async () => {
      expect((await stored())[0]).toMatchObject({ name: 'Screw', pieces: 5 });
    });
    // A new act leaves nothing to be redone.
    await typeInto(1, COL.name, 'Washer{Enter}');
    expect(foot().getByRole('button', { name: 'Redo' })).toHaveProperty('disabled', true);
  });

  test(
    'goes first through what is typed into a row that is not created yet',
    { tags: ['long'] },
    async () => {
      const { typeInto, user, text, foot, stored, focus } = await grids.open();
      await typeInto(0, COL.name, 'Screw{Enter}');
      await foot().findByText('Saved');
      await typeInto(3, COL.code, 'N-1{Tab}New{Tab}two{Tab}');
      await user.keyboard(UNDO);
      await waitFor(() => expect(text(3, COL.note)).toBe(''));
      expect([text(3, COL.code), text(3, COL.name)]).toEqual(['N-1', 'New']);
      await user.keyboard(UNDO);
      await waitFor(() => expect(text(3, COL.name)).toBe(''));
      await user.keyboard(UNDO);
      await waitFor(() => expect(text(3, COL.code)).toBe(''));
      expect((await stored())[0]?.['name']).toBe('Screw');
      await user.keyboard(UNDO);
      await waitFor(() => expect(text(0, COL.name)).toBe('Bolt'));
      await user.keyboard(REDO);
      await waitFor(() => expect(text(0, COL.name)).toBe('Screw'));
      await user.keyboard(REDO);
      await waitFor(() => expect(text(3, COL.code)).toBe('N-1'));
      await user.keyboard(REDO);
      await waitFor(() => expect(text(3, COL.name)).toBe('New'));
      // Once it is created it is one step as a whole.
      await focus(0, COL.code);
      await waitFor(async () => expect(await stored()).toHaveLength(4));
      await user.keyboard(UNDO);
      await waitFor(async () => expect(await stored()).toHaveLength(3));
      await user.keyboard(UNDO);
      await waitFor(() => expect(text(0, COL.name)).toBe('Bolt'));
    },
  );

  test('takes filling several blocks back at once', { tags: ['long'] }, async () => {
    const { user, cell, focus, stored, foot } = await grids.open();
    const before = await stored();
    await focus(0, COL.name);
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}{Control>}');
    await user.click(cell(0, COL.pieces));
    await user.keyboard('{/Control}{Shift>}{ArrowDown}{ArrowDown}{/Shift}{Control>}d{/Control}');
    await foot().findByText('Saved');
    expect((await stored()).map(({ name, pieces }) => [name, pieces])).toEqual([
      ['Bolt', 5],
      ['Bolt', 5],
      ['Ring', 5],
    ]);
    await user.keyboard(UNDO);
    await waitFor(async () => expect(await stored()).toEqual(before));
  });

  test(
    'takes a whole block back at once, cleared texts to what they were',
    { tags: ['long'] },
    async () => {
      const { focus, user, text, stored, writes, foot } = await grids.open();
      const before = await stored();
      await focus(0, COL.note);
      await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{ArrowRight}{/Shift}{Delete}');
      await foot().findByText('Saved');
      expect((await stored()).map(({ note, pieces }) => [note, pieces])).toEqual([
        [null, null],
        [null, null],
        [null, null],
      ]);
      // Records that change together go together.
      expect(writes()).toHaveLength(1);
      expect(writes()[0]).toMatchObject({ method: 'PUT', body: { datasets: [{}, {}, {}] } });
      await user.keyboard(UNDO);
      await waitFor(() => expect(text(1, COL.pieces)).toBe('7'));
      await waitFor(async () => expect(await stored()).toEqual(before));
    },
  );

  test('leaves what somebody else has changed since, and says who', async () => {
    const { root } = grids;
    const { focus, user, text, stored, path, foot } = await grids.open();
    const [first, second] = await stored();
    await focus(0, COL.pieces);
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
    await user.keyboard('9{Control>}{Enter}{/Control}');
    await foot().findByText('Saved');
    await root.put(`${path}/${first?.['jrid']}`, { dataset: { pieces: 100 } });
    await user.keyboard(UNDO);
    await waitFor(() => expect(text(1, COL.pieces)).toBe(String(second?.['pieces'])));
    expect(
      await screen.findByText(/Record \S+, Pieces stays as it is: edited by root/),
    ).toBeTruthy();
    expect((await stored())[0]).toMatchObject({ pieces: 100 });
    await waitFor(() => expect(text(0, COL.pieces)).toBe('100'));
  });

  test.each([
    { way: 'Undone', cell: 'a typed value', turn: UNDO },
    { way: 'Redone', cell: 'a value undone', turn: REDO },
  ])('$cell is left where another has changed it, naming who and when', async ({ way, turn }) => {
    const { root } = grids;
    const { typeInto, user, text, stored, path, foot, focus } = await grids.open();
    await typeInto(0, COL.pieces, '9{Enter}');
    await foot().findByText('Saved');
    if (turn === REDO) {
      await user.keyboard(UNDO);
      await waitFor(async () => expect((await stored())[0]).toMatchObject({ pieces: 5 }));
    }
    await focus(1, COL.name);
    const jrid = (await stored())[0]?.jrid;
    const place = `${path}/${jrid}`;
    await root.put(place, { dataset: { pieces: 100 } });
    // What came after in another column is not what stands in the way.
    await root.put(place, { dataset: { note: 'later' } });
    await user.keyboard(turn);
    const [, change] = historyAnswer.parse((await root.get(`${place}/history`)).body).history;
    const when = localInstant(change?.at ?? '');
    const words = `Not ${way.toLowerCase()}: typing. Record ${jrid}, Pieces stays as it is: edited by root, ${when}.`;
    expect(await screen.findByText(words)).toBeTruthy();
    expect((await stored())[0]).toMatchObject({ pieces: 100, note: 'later' });
    await waitFor(() => expect(text(0, COL.pieces)).toBe('100'));
  });

  test('says who has deleted the record whose cell it cannot undo, and when', async () => {
    const { root } = grids;
    const { typeInto, user, stored, path, foot } = await grids.open();
    await typeInto(0, COL.pieces, '9{Enter}');
    await foot().findByText('Saved');
    const jrid = (await stored())[0]?.jrid;
    await root.delete(path, { datasets: [{ jrid }] });
    await user.keyboard(UNDO);
    expect(
      await screen.findByText(/Record \S+, Pieces stays as it is: deleted by root, /),
    ).toBeTruthy();
    expect(await stored()).toHaveLength(2);
  });

  test('undoes a record that was created, and creates it again', { tags: ['long'] }, async () => {
    const { typeInto, user, stored, foot } = await grids.open();
    await typeInto(3, COL.code, 'N-1{Tab}New{Control>}{Enter}{/Control}');
    await foot().findByText('Saved');
    expect(await stored()).toHaveLength(4);
    await user.keyboard(UNDO);
    await waitFor(async () => expect(await stored()).toHaveLength(3));
    await user.keyboard(REDO);
    await waitFor(async () => expect((await stored())[3]).toMatchObject({ code: 'N-1' }));
  });

  test(
    'undoes a record that was changed after it was created, and all of it again',
    { tags: ['long'] },
    async () => {
      const { typeInto, user, stored, foot } = await grids.open();
      await typeInto(3, COL.code, 'N-1{Tab}New{Control>}{Enter}{/Control}');
      await foot().findByText('Saved');
      await typeInto(3, COL.pieces, '4{Enter}');
      await waitFor(async () => expect((await stored())[3]).toMatchObject({ pieces: 4 }));
      await user.click(foot().getByRole('button', { name: /^Undo: typing/ }));
      await waitFor(async () => expect((await stored())[3]).toMatchObject({ pieces: null }));
      await user.click(await foot().findByRole('button', { name: /^Undo: creating/ }));
      await waitFor(async () => expect(await stored()).toHaveLength(3));
      await user.click(await foot().findByRole('button', { name: /^Redo: creating/ }));
      await waitFor(async () => expect((await stored())[3]).toMatchObject({ code: 'N-1' }));
      await user.click(await foot().findByRole('button', { name: /^Redo: typing/ }));
      await waitFor(async () => expect((await stored())[3]).toMatchObject({ pieces: 4 }));
    },
  );

  test(
    'leaves a created record that somebody else has worked on, and says who',
    { tags: ['long'] },
    async () => {
      const { root } = grids;
      const { typeInto, user, stored, foot, path } = await grids.open();
      await typeInto(3, COL.code, 'N-1{Tab}New{Control>}{Enter}{/Control}');
      await foot().findByText('Saved');
      const jrid = (await stored())[3]?.jrid;
      await root.put(`${path}/${jrid}`, { dataset: { pieces: 100 } });
      await user.click(foot().getByRole('button', { name: /^Undo: creating/ }));
      const { body } = await root.get(`${path}/${jrid}/history`);
      const when = localInstant(historyAnswer.parse(body).history[0]?.at ?? '');
      const words = `Not undone: creating a record. root has changed the record, ${when}.`;
      expect(await screen.findByText(words)).toBeTruthy();
      expect(await stored()).toHaveLength(4);
    },
  );

  test(
    'says of a created record that somebody else has deleted who has, and when',
    { tags: ['long'] },
    async () => {
      const { root } = grids;
      const { typeInto, user, stored, foot, path } = await grids.open();
      await typeInto(3, COL.code, 'N-1{Tab}New{Control>}{Enter}{/Control}');
      await foot().findByText('Saved');
      const jrid = (await stored())[3]?.jrid;
      await root.delete(path, { datasets: [{ jrid }] });
      await user.click(foot().getByRole('button', { name: /^Undo: creating/ }));
      expect(await screen.findByText(/root has deleted the record, /)).toBeTruthy();
    },
  );

  test('leaves a cell into which the clerk types while its record is read', async () => {
    const { typeInto, user, service, stored, foot } = await grids.open();
    await typeInto(0, COL.pieces, '9{Enter}');
    await foot().findByText('Saved');
    const [answer, send] = [service.hold('GET'), service.hold('PUT')];
    await user.keyboard(UNDO);
    await typeInto(0, COL.pieces, '7{Enter}');
    // The same text once more is meant as it is typed.
    await typeInto(0, COL.pieces, '9{Enter}');
    answer();
    await screen.findByText(/^Not undone: typing\. Record \S+, Pieces stays as it is/);
    send();
    await foot().findByText('Saved');
    expect((await stored())[0]).toMatchObject({ pieces: 9 });
  });

  test('never reaches what is typed after the key was pressed', async () => {
    const { typeInto, user, service, stored, foot } = await grids.open();
    await typeInto(0, COL.name, 'Screw{Enter}');
    await typeInto(0, COL.pieces, '9{Enter}');
    await foot().findByText('Saved');
    const answer = service.hold('GET');
    await user.keyboard(`${UNDO}${UNDO}`);
    await typeInto(1, COL.name, 'Washer{Enter}');
    answer();
    await waitFor(async () => {
      expect(await stored()).toMatchObject([{ pieces: 5 }, { name: 'Washer' }, {}]);
    });
    await foot().findByText('Saved');
    expect(await stored()).toMatchObject([{ name: 'Screw', pieces: 5 }, { name: 'Washer' }, {}]);
  });

  test('what cannot be read comes back as it was typed', { tags: ['long'] }, async () => {
    const { typeInto, user, text } = await grids.open();
    await typeInto(0, COL.pieces, 'five{Enter}');
    await waitFor(() => expect(text(0, COL.pieces)).toContain('five'));
    await typeInto(0, COL.pieces, '6{Enter}');
    await waitFor(() => expect(text(0, COL.pieces)).toBe('6'));
    await user.keyboard(UNDO);
    await waitFor(() => expect(text(0, COL.pieces)).toContain('five'));
    await user.keyboard(UNDO);
    await waitFor(() => expect(text(0, COL.pieces)).toBe('5'));
  });
});

test('of a batch that is refused, only those named stay; the others are saved', async () => {
  const { focus, user, cell, stored, foot } = await grids.open();
  await focus(0, COL.code);
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
  // Two of one code: neither can have it, as the column takes each value once.
  await user.keyboard('A-3{Control>}{Enter}{/Control}');
  await waitFor(() => expect(cell(0, COL.code).getAttribute('aria-invalid')).toBe('true'));
  await focus(0, COL.name);
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
  await user.keyboard('Both{Control>}{Enter}{/Control}');
  await waitFor(async () => {
    expect((await stored()).map(({ name }) => name)).toEqual(['Both', 'Both', 'Ring']);
  });
  expect(foot().getByRole('button', { name: /not saved$/ })).toBeTruthy();
});
