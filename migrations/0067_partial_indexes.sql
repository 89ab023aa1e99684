DROP INDEX `outbox_hook`;--> statement-breakpoint
DROP INDEX `outbox_application`;--> statement-breakpoint
CREATE INDEX `outbox_hook` ON `outbox` (`tenant_id`,`hook_id`,`created_at`) WHERE hook_id is not null;--> statement-breakpoint
CREATE INDEX `outbox_application` ON `outbox` (`tenant_id`,`application_id`) WHERE application_id is not null;--> statement-breakpoint
DROP INDEX `passcodes_interaction`;--> statement-breakpoint
DROP INDEX `passcodes_email`;--> statement-breakpoint
DROP INDEX `passcodes_phone`;--> statement-breakpoint
CREATE INDEX `passcodes_interaction` ON `passcodes` (`tenant_id`,`interaction_jti`,`type`) WHERE interaction_jti is not null;--> statement-breakpoint
CREATE INDEX `passcodes_email` ON `passcodes` (`tenant_id`,lower("email"),`type`) WHERE lower(email) is not null;--> statement-breakpoint
CREATE INDEX `passcodes_phone` ON `passcodes` (`tenant_id`,`phone`,`type`) WHERE phone is not null;