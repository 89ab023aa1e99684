import './styles/index.css'
import { readArrival } from './session/session.ts'
import { showStartFailure } from './start-failure.ts'

try {
  // What is shown is downloaded while the provider says who has come (spec/budgets#console).
  const [{ show }, arrival] = await Promise.all([import('./screens.tsx'), readArrival()])
  await show(arrival)
} catch (failure) {
  showStartFailure(failure)
}
