-- The site factor of a job: what -p and the urgency of its requests were in Grid Engine. A job says
-- sbatch --nice=N (once -p -N), --ntasks=N (once slots) and --licenses=NAME:N.

local function known(number) -- what a job did not say comes as a number that is far too large
	return number and number > 0 and number < 4294967000
end

local function tasks(job)
	if known(job.min_cpus) then return job.min_cpus end
	if known(job.num_tasks) then return job.num_tasks end
	return 1
end

local function nice(job)
	if known(job.nice) then return job.nice - slurm.NICE_OFFSET end
	return 0
end

local function factor(nice, tasks, licenses)
	local sum = offset - (step - 1) * nice + slot * tasks
	for name, count in string.gmatch(licenses or "", "([^,;:=]+)[:=]?(%d*)") do
		sum = sum + (each[name] or 0) * (tonumber(count) or 1)
	end
	return math.max(-furthest, math.min(furthest, math.floor(sum + 0.5)))
end

function slurm_job_submit(job, partitions, submitter)
	job.site_factor = factor(nice(job), tasks(job), job.licenses)
	return slurm.SUCCESS
end

function slurm_job_modify(change, job, partitions, modifier)
	local n, asked, licenses = nice(job), tasks(job), job.licenses
	if known(change.nice) then n = nice(change) end
	if known(change.min_cpus) or known(change.num_tasks) then asked = tasks(change) end
	if change.licenses ~= nil then licenses = change.licenses end
	change.site_factor = factor(n, asked, licenses)
	return slurm.SUCCESS
end

return slurm.SUCCESS
