DROP INDEX `passcodes_email`;--> statement-breakpoint
DROP INDEX `passcodes_phone`;--> statement-breakpoint
CREATE INDEX `passcodes_email` ON `passcodes` (`tenant_id`,lower("email"),`type`) WHERE interaction_jti is null and lower(email) is not null;--> statement-breakpoint
CREATE INDEX `passcodes_phone` ON `passcodes` (`tenant_id`,`phone`,`type`) WHERE interaction_jti is null and phone is not null;