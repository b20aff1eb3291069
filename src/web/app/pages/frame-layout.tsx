import { Outlet } from '@tanstack/react-router';
import '../mantine-frame.css';
import { Frame } from '#web/features/frame/frame.tsx';

/** The frame around every page of a signed-in user. */
export function FrameLayout() {
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}
