import { SignInScreen } from '#web/features/sign-in/sign-in-screen.tsx';
import { type AddressOf, ownPath } from '#web/navigation/addresses.ts';
import { useNavigation } from '#web/navigation/navigation.ts';

/** Signing in, and on to the page that was asked for. */
export function SignInPage({ address }: { readonly address: AddressOf<'sign-in'> }) {
  const { go } = useNavigation();
  return <SignInScreen onSignedIn={() => go(ownPath(address.next), { replace: true })} />;
}
