ALTER TABLE `hooks` ADD `account_event` text;--> statement-breakpoint
CREATE INDEX `hooks_account_event` ON `hooks` (`tenant_id`,`account_event`) WHERE account_event is not null;