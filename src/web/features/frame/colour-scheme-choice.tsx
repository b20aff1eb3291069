import * as texts from '#messages/frame.ts';
import { IconButton } from '#web/ui/button.tsx';
import { type ColourScheme, useColourScheme } from '#web/ui/colour-scheme.ts';
import { MoonIcon, ScreenIcon, SunIcon } from '#web/ui/icons.tsx';

const SCHEMES = {
  light: { Icon: SunIcon, next: 'dark' },
  dark: { Icon: MoonIcon, next: 'auto' },
  auto: { Icon: ScreenIcon, next: 'light' },
} as const satisfies Record<ColourScheme, { readonly Icon: unknown; readonly next: ColourScheme }>;

/** Light, dark or system; each press selects the next. */
export function ColourSchemeChoice() {
  const [scheme, choose] = useColourScheme();
  const { Icon, next } = SCHEMES[scheme];
  const label = texts.coloursLabel({ scheme, next });
  return (
    <IconButton aria-label={label} title={label} onClick={() => choose(next)}>
      <Icon size={16} />
    </IconButton>
  );
}
