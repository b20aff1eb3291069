/** @module-tag slow */
import { screen, waitFor } from '@testing-library/react';
import { TOTP } from 'otpauth';
import { expect, it, vi } from 'vitest';
import { sessionsAnswer } from '#shared/contract/answers.ts';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderFeature } from '#tests/support/render-app.tsx';
import { EnrolmentPage } from '#web/app/first-pages.tsx';
import { SignInScreen } from '#web/features/sign-in/sign-in-screen.tsx';

const service = await openApp(testDatabases('sqlite').open, { secondFactor: 'required' });

it('is set up before anything else where it is demanded, and a recovery code signs in once', async () => {
  await buildUser(service.database, { username: 'nora' });
  const as = { username: 'nora', password: PASSWORD };
  const nora = await service.signedIn('nora');
  const ownSession = async () => {
    const [session] = sessionsAnswer.parse((await nora.get('application/sessions')).body).sessions;
    if (!session) throw new Error('Nora is not signed in.');
    return { ...session, readAfter: null };
  };
  const session = await ownSession();
  expect(session.secondFactorEnrolmentRequired).toBe(true);
  const onDone = vi.fn<() => void>();
  const enrolment = await renderFeature(
    service.app,
    <EnrolmentPage session={session} onDone={onDone} />,
    { as },
  );
  const { user } = enrolment;
  await screen.findByRole('heading', { name: 'Set up a second factor' });
  await user.click(await screen.findByRole('button', { name: 'Set up an authenticator app' }));
  const secret = (await screen.findByLabelText('Key')).textContent ?? '';
  await user.type(screen.getByRole('textbox', { name: /^Code/ }), '000000{Enter}');
  await screen.findByText(/^This code is wrong/);
  const code = screen.getByRole('textbox', { name: /^Code/ });
  await user.clear(code);
  await user.type(code, `${new TOTP({ secret }).generate()}{Enter}`);
  const codes = await screen.findByRole('region', { name: 'Recovery codes' });
  const [first = ''] = [...codes.querySelectorAll('li')].map(({ textContent }) => textContent);
  expect(onDone).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'I have stored the codes' }));
  expect(onDone).toHaveBeenCalledOnce();
  expect((await ownSession()).secondFactorEnrolmentRequired).toBeUndefined();

  const onSignedIn = vi.fn<() => void>();
  const signIn = async () => {
    // Another screen than before, with empty fields.
    enrolment.rerender(null);
    enrolment.rerender(<SignInScreen next="/" onSignedIn={onSignedIn} />);
    await user.type(screen.getByLabelText('User name'), 'nora');
    await user.type(screen.getByLabelText('Password'), `${PASSWORD}{Enter}`);
    const second = await screen.findByLabelText('Code of your authenticator app');
    await user.type(second, `${first.toLowerCase()}{Enter}`);
  };
  await signIn();
  await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
  await signIn();
  await screen.findByText(/^This code is wrong/);
  expect(onSignedIn).toHaveBeenCalledOnce();
});
