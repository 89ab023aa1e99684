import type { DeviceKind } from '../../src/domain/user-agent.ts'
import { Icon, PhoneIcon } from '../ui/icons.tsx'

/** A drawing of a device. */
export function DeviceDrawing({ kind }: { kind: DeviceKind }) {
  switch (kind) {
    case 'computer':
      return <Icon path="M4 4.5h12a1 1 0 0 1 1 1v8H3v-8a1 1 0 0 1 1-1ZM1.5 16h17" />
    case 'phone':
      return <PhoneIcon />
    case 'tablet':
      return (
        <Icon path="M5 2.5h10a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1ZM8.5 15h3" />
      )
    case 'other':
      // A window with a prompt
      return (
        <Icon path="M3.5 3.5h13a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1h-13a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1ZM6 7.5 8.5 10 6 12.5m4.5 0H14" />
      )
  }
}
