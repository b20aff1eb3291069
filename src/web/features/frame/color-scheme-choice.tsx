import * as texts from '#messages/frame.ts';
import { IconButton } from '#web/ui/button.tsx';
import { type ColourScheme, useColourScheme } from '#web/ui/colour-scheme.ts';
import { MoonIcon, ScreenIcon, SunIcon } from '#web/ui/icons.tsx';

const SCHEMES = {
  light: { Icon: SunIcon, name: 'light', next: 'dark' },
  dark: { Icon: MoonIcon, name: 'dark', next: 'auto' },
  auto: { Icon: ScreenIcon, name: 'as the system', next: 'light' },
} as const satisfies Record<
  ColourScheme,
  { readonly Icon: unknown; readonly name: string; readonly next: ColourScheme }
>;

/** Light, dark or system; each press selects the next. */
export function ColorSchemeChoice() {
  const [scheme, choose] = useColourScheme();
  const { Icon, name, next } = SCHEMES[scheme];
  const label = texts.coloursLabel({ name, next: SCHEMES[next].name });
  return (
    <IconButton aria-label={label} title={label} onClick={() => choose(next)}>
      <Icon size={16} />
    </IconButton>
  );
}
