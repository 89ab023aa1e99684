import './styles/index.css'
import { readStartState } from './session/session.ts'
import { showStartFailure } from './start-failure.ts'

try {
  // What is shown is downloaded while the provider says who has come (spec/budgets#console).
  const [{ renderScreen: show }, arrival] = await Promise.all([import('./screens.tsx'), readStartState()])
  await show(arrival)
} catch (failure) {
  showStartFailure(failure)
}
