import './styles/index.css'
import { readStartState } from './session/session.ts'
import { showStartFailure } from './start-failure.ts'

try {
  // The screens are downloaded while the provider identifies the user (spec/budgets#console).
  const [{ renderScreen: show }, arrival] = await Promise.all([import('./screens.tsx'), readStartState()])
  await show(arrival)
} catch (failure) {
  showStartFailure(failure)
}
