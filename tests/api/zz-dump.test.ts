import { it } from 'vitest'
import { openHouse } from '../house.ts'
it('dump', async () => {
  console.log('DOC' + (await (await openHouse().fetch('/api/openapi.json')).text()) + 'END')
})
