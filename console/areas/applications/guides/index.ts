import { browserGuides } from './browser-guides.ts'
import type { Guide } from './guide.ts'
import { nodeGuides } from './node-guides.ts'
import { otherGuides } from './other-guides.ts'
import { serverGuides } from './server-guides.ts'

export const guides: readonly Guide[] = [...browserGuides, ...nodeGuides, ...serverGuides, ...otherGuides]
