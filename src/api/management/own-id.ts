export { refuseTakenId as asIdTaken } from '../../application/taken-id.ts'
