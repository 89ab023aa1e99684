import './styles/index.css'
import { readArrival } from './session/session.ts'

// What is shown is downloaded while the provider says who has come (spec/budgets#console).
const screens = import('./screens.tsx')
const arrival = await readArrival()
const { show } = await screens
await show(arrival)
